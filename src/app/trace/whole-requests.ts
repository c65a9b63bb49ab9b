import { Fault } from '../../core/fault.ts';
import type { RequestLine, RequestView } from '../../protocol/request-trace.ts';
import type { TracePlace } from './traced-body.ts';
import type { TracedCall } from './traced-calls.ts';
import { viewOf, wholeRequest, type WholeRequest } from './view-request.ts';

/** The requests of a run in full, by their lines. Only those that are asked for are built. */
export class WholeRequests {
  readonly #lines: readonly RequestLine[];
  readonly #read: () => Promise<readonly TracedCall[]>;
  readonly #place: TracePlace;
  #calls: Promise<readonly TracedCall[]> | null = null;

  constructor(lines: readonly RequestLine[], calls: () => Promise<readonly TracedCall[]>, place: TracePlace) {
    this.#lines = lines;
    this.#read = calls;
    this.#place = place;
  }

  async of(line: RequestLine): Promise<WholeRequest> {
    this.#calls ??= this.#read();
    const calls = await this.#calls;
    const call = calls.find(({ run, announced }) => run === line.run && announced.seq === line.seq);
    // A running turn may have made its request anew since the lines were made.
    if (call === undefined)
      throw new Fault('USAGE', `Request ${line.number} was made anew meanwhile.`, { hint: 'Ask again.' });
    return await wholeRequest(call, line, this.#place);
  }

  async view(line: RequestLine): Promise<RequestView> {
    const { run, agent, number } = line;
    const before = this.#lines.findLast((one) => one.number < number && one.run === run && one.agent === agent);
    return viewOf(await this.of(line), before === undefined ? null : await this.of(before));
  }
}
