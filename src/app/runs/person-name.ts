import { userInfo } from 'node:os';
import { orElse } from '../../lib/or-else.ts';

/** Who acted, for the journal. */
export const personName = (): string => orElse(() => userInfo().username, 'person');
