/**
 * `look`: no agent works in it, so settings that are not trusted are no obstacle; they stay without effect. `pass`: another
 * process will drive what is begun here.
 */
export type Purpose = 'drive' | 'pass' | 'look';
