import { unresolvedMarkers } from '../../../workspace/changes/conflict.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { filesOfAgent, storeOf } from './agent-place.ts';
import { tamperedSchema } from './review-input.ts';
import { asBytes, asText } from '../../../host/perform/files/text-path.ts';
import { usersCopies } from '../../../host/perform/commands/users-copies.ts';

/**
 * `review.tampered`: what an agent's files have changed of all that the user's command is made of (L4). Nothing is run. Where
 * marks of a conflict stand nothing was settled yet, and nothing can be merged.
 */
export const reviewTampered: EngineProgram = async (performance, effect) => {
  const { agent, command, protect } = programInput(tamperedSchema, effect);
  const { tree, base } = await filesOfAgent(performance, effect, agent);
  const store = await storeOf(performance);
  const { tampered } = await usersCopies(store, { base, tree, command, protect });
  const paths = tampered.map(({ path }) => path);
  const marks = await unresolvedMarkers(store, { tree, base }, paths.map(asBytes));
  const marked = new Set(marks.map(({ path }) => asText(path)));
  return { output: { paths: paths.filter((path) => !marked.has(path)) } };
};
