import type { ClientProbe } from '../../actors/port.ts';

/** One thing the doctor looked at. */
export interface DoctorFinding {
  /** `absent`: it is not there, and nothing asks for it. */
  readonly level: 'ok' | 'absent' | 'warning' | 'error';
  readonly about: string;
  readonly text: string;
  /** Of a coding agent: all that is known of it. Never a key. */
  readonly client?: ClientProbe;
}
