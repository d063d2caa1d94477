"""What the measuring tools share: boards, runs of nlroute, the loop that keeps them, tables."""
