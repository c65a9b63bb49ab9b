/** One thing the doctor looked at. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly about: string;
  readonly text: string;
}
