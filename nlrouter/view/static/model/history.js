// States to go back to. States are never changed, so keeping one costs only what is new in it.

const MOST_CELLS = 2 ** 24; // 64 MiB of drawings.

export class History {
  constructor(state) {
    this.states = [state];
    this.at = 0;
  }

  get state() {
    return this.states[this.at];
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.states.length - 1;
  }

  push(state) {
    const room = Math.max(2, Math.floor(MOST_CELLS / state.grid.size));
    this.states = [...this.states.slice(0, this.at + 1), state].slice(-room);
    this.at = this.states.length - 1;
  }

  undo() {
    if (this.canUndo) this.at--;
    return this.state;
  }

  redo() {
    if (this.canRedo) this.at++;
    return this.state;
  }
}
