import { attackTests } from './support/attack-tests.ts';
import { attacks } from './support/box-attacks.ts';

await attackTests(attacks);
