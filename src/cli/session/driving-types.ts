import type { SettledLine } from '../../protocol/operations/answers/settled.ts';
import type { RunPrinter } from '../terminal/run-printer.ts';
import type { Interrupt } from './interrupt.ts';
import type { Host } from '../../host/port.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Session } from '../../app/runs/session.ts';
import type { RunId } from '../../core/model/ids.ts';

/** The web page in the process that drives a run (`--web`). */
export interface PageBeside {
  /** Prints the address of the run's page, and opens it. */
  show(run: RunId, note: (text: string) => void): void;
  /** Once the run rests: in a terminal until Ctrl-C. A run that continues from the page is driven here. */
  stay(drive: Drive, code: number, goOn: (drive: Drive) => Promise<number>): Promise<number>;
  close(): Promise<void>;
}

/** A process that drives runs for a command line. */
export interface DrivingSession extends Session {
  readonly terminal: Terminal;
  /** `--web`: the page is served beside the run. */
  readonly opensPage: boolean;
}

export interface Drive {
  readonly host: Pick<Host, 'rest' | 'answer' | 'onLive' | 'shutdown'>;
  readonly run: RunId;
  readonly terminal: Terminal;
  readonly printer: RunPrinter;
  readonly notify: string | null;
  /** A partial outcome counts as success. */
  readonly allowsPartial: () => Promise<boolean>;
  readonly interrupt: Interrupt;
  /** A worker drives the run, and continues with it when this process leaves. */
  readonly isFollowed: boolean;
  readonly folderOf: (run: RunId) => string | null;
  /** Prints the end of a run that has come to rest; whether its result could be delivered, as an exit code. */
  readonly printEnd: (line: SettledLine) => Promise<number>;
}
