import { attackTests } from './support/attack-tests.ts';
import { attacks } from './support/secret-attacks.ts';

await attackTests(attacks);
