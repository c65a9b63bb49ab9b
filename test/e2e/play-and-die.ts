// A process that plays a workflow on the disk, and is killed at the given write.
import { flushCompileCache } from 'node:module';
import type { RecordingPlace } from '../requests/record-run.ts';
import { playAndDie } from './every-workflow.ts';

// A killed process leaves compiled code to the next one only if it is written at once.
flushCompileCache();

const [name = '', place = '{}', after = '1'] = process.argv.slice(2);
await playAndDie(name, JSON.parse(place) as RecordingPlace, Number(after));
