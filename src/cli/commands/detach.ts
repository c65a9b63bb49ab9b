import { driveApart } from '../../app/acts/drive-apart.ts';
import type { OrderAnswer } from '../../app/acts/with-order.ts';
import { storeHome } from '../../app/world/store.ts';
import { Fault } from '../../core/fault.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';

/** Carries the order out in the background, and returns when the run is under way. */
async function detach(invocation: Invocation, order: Order): Promise<OrderAnswer> {
  refuseWeb(invocation);
  const asking = askingOf(invocation);
  const program = { entry: process.argv[1] ?? '', home: storeHome(invocation.terminal) };
  return await driveApart(asking, { ...order, ...asking.wishes }, program);
}

/** The same; prints the run. */
export async function detachAndPrint(invocation: Invocation, order: Order): Promise<number> {
  const { kind, run } = await detach(invocation, order);
  invocation.terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind, run })}\n` : `${run}\n`);
  return EXIT.ok;
}

export function refuseWeb(invocation: Invocation): void {
  if (!flag(invocation, 'web')) return;
  throw new Fault('USAGE', '--web and --detach do not go together: the page would end with this process.', {
    hint: 'Leave --web out, and open the page with: troupe serve',
  });
}
