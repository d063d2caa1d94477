"""A team's day against the contest's service: talk to it, route its boards, send the answers.

`client` knows the service's calls, `state` what is on disk and `plan` what is due when; `desk`
holds the boards, `courier` and `alive` do the errands, and `day` puts it all together. Boards are
routed by ``nlroute`` in processes of their own (see `nlrouter.runs`): nothing here imports an
engine.
"""
