import { usersCopies } from '../../../host/perform/commands/users-copies.ts';
import { asBytes, asText } from '../../../host/perform/files/text-path.ts';
import { programInput } from '../../../host/perform/commands/program-input.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { unresolvedMarkers } from '../../../workspace/changes/conflict.ts';
import { filesOfAgent, storeOf } from './agent-place.ts';
import { keepReview, type Gathering } from './keep-review.ts';
import { lookedAtSchema } from './review-input.ts';

/** `review.guard`: which files of the user's command an author changed while it settled a collision (L4). Nothing is run. */
export const reviewGuard: EngineProgram = keepReview(async (gathering) => ({
  kind: 'settled',
  tampered: gathering.command === '' ? [] : await tamperedIn(gathering),
}));

/** Files with conflict marks are not settled yet, and cannot be merged. */
async function tamperedIn({ context, effect, terms, command }: Gathering): Promise<readonly string[]> {
  const { agent } = programInput(lookedAtSchema, effect);
  const { tree, base } = await filesOfAgent(context, effect, agent);
  const store = await storeOf(context);
  const { tampered } = await usersCopies(store, { base, tree, command, protect: terms.protect });
  const paths = tampered.map(({ path }) => path);
  const marks = await unresolvedMarkers(store, { tree, base }, paths.map(asBytes));
  const marked = new Set(marks.map(({ path }) => asText(path)));
  return paths.filter((path) => !marked.has(path));
}
