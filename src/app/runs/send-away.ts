import { Fault } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { StartOptions } from '../../host/port.ts';
import { sendProject } from '../../workspace/travel/send-project.ts';
import type { Session } from './session.ts';
import { familyOf } from '../../formats/families.ts';

/** Sends workers what they need to drive a run: the files that it begins with, what its snapshots leave out, and its tools. */
export function sendAway(session: Session, definition: Definition): NonNullable<StartOptions['sendAway']> {
  const { store, world, project } = session;
  refuseOwnCode(definition);
  refuseSupplied(session);
  return async (run, files) => {
    if (store.files === undefined) throw new Fault('INTERNAL', 'There is no store that machines share.');
    const { ignored } = project.config.workspaces;
    const about = { root: run, project: project.root, powers: project.powers, tree: files.tree };
    const sent = { ...about, ...(ignored === undefined ? {} : { ignored }) };
    return await sendProject({ home: store.home, workspaces: world.workspaces, shared: store.files }, sent);
  };
}

/** Its functions would run on the worker as the worker itself, outside every sandbox (decision 35). WORKFLOW_NOT_SHARED. */
export function refuseOwnCode({ workflow, library }: Definition): void {
  const coded = [workflow, ...Object.values(library)].find((one) => familyOf(one).runsCode && hasFunctions(one));
  if (coded === undefined) return;
  throw new Fault(
    'WORKFLOW_NOT_SHARED',
    `Workers cannot run "${coded.name}": its functions are code of this project.`,
    {
      hint: 'Run it on this machine alone: --journal local. Shipped stage workflows and all other workflows run on workers.',
      facts: { workflow: coded.name },
    },
  );
}

const hasFunctions = ({ code }: Workflow): boolean => code !== undefined;

/** Functions of the program that opened Troupe are in that program only. PARTS_NOT_SHARED. */
function refuseSupplied({ supplied = {} }: Session): void {
  const given = [
    ...(supplied.actorFor === undefined ? [] : ['actors']),
    ...(supplied.tools === undefined || supplied.tools.length === 0 ? [] : ['tools']),
    ...(supplied.models === undefined ? [] : ['models']),
  ];
  if (given.length === 0) return;
  throw new Fault(
    'PARTS_NOT_SHARED',
    `Workers do not have the ${given.join(' and ')} that this program brings along.`,
    {
      hint: 'Configure models and clients where the workers are, put tools into .troupe/tools, or open the project with a journal of this machine.',
    },
  );
}
