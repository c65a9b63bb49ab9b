/** How a run is called in every list: as `list` tells it. */
export type RunStatusWord = 'running' | 'stopped' | 'waiting' | 'paused' | 'settled';
