import { attackTests } from './support/attack-tests.ts';
import { attacks } from './support/process-attacks.ts';

await attackTests(attacks);
