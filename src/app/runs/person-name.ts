import { userInfo } from 'node:os';

/** Who acted, for the journal. */
export function personName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'person';
  }
}
