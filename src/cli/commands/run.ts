import type { JsonObject } from '../../core/json.ts';
import type { Definition } from '../../core/role.ts';
import type { Limits, Workflow } from '../../core/workflow.ts';
import { withPlaces } from '../../dialects/roles/placed-role.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, listOption, textOption, word } from '../invocation.ts';
import { checkModels, refuseProblems } from '../../app/library/check-models.ts';
import { checkServerNames, knownServers } from '../../app/library/check-server-names.ts';
import { reportRefused, reportStarted, startDetached } from '../session/detach.ts';
import { prepareSession, type Preparation } from '../../app/runs/session.ts';
import { askingOf } from '../asking.ts';
import { printAndDrive, withDriving, type Driving } from '../session/driving.ts';
import { findWorkflow } from '../../app/library/find-workflow.ts';
import { refusePart } from '../../app/library/refuse-part.ts';
import { limitsFor } from '../session/limits.ts';
import { readInput } from '../session/read-input.ts';
import { refuseUnusableVerify } from '../session/refuse-verify.ts';
import { startTerms } from '../../app/runs/terms.ts';
import { storeHome } from '../../app/world/store.ts';
import { wantedDefinition } from '../../app/library/wanted-definition.ts';
import { withWard } from '../../app/runs/with-ward.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { runTitle } from '../../app/runs/run-title.ts';

/**
 * `troupe run WORKFLOW [INPUT]`: everything is checked before a run exists; then it is driven until it rests. `refuse` may
 * throw for a workflow that the command is not meant for.
 */
export async function runCommand(
  invocation: Invocation,
  refuse: (workflow: Workflow) => void = () => undefined,
): Promise<number> {
  const { terminal } = invocation;
  if (flag(invocation, 'detach')) {
    const run = await startDetached(invocation, storeHome(terminal));
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'run.started', run })}\n` : `${run}\n`);
    return EXIT.ok;
  }
  try {
    return await checkAndRun(invocation, refuse);
  } catch (error) {
    reportRefused(terminal, error);
    throw error;
  }
}

async function checkAndRun(invocation: Invocation, refuse: (workflow: Workflow) => void): Promise<number> {
  const { terminal } = invocation;
  const prepared = await prepareSession(askingOf(invocation));
  const found = await findWorkflow(word(invocation, 0) ?? '', { project: prepared.project, caller: terminal });
  refuse(found.workflow);
  await refusePart(found.workflow, { project: prepared.project, caller: terminal });
  for (const warning of found.warnings) terminal.stderr.write(`${problemText(warning)}\n`);
  const given = await readInput(
    {
      text: word(invocation, 1),
      fields: listOption(invocation, 'input'),
      file: textOption(invocation, 'inputFile'),
    },
    found.workflow,
    terminal,
  );
  const input = await withWard(given, found.workflow, prepared);
  refuseUnusableVerify(input, found.workflow, { invocation, prepared });
  const limits = limitsFor(found.workflow, prepared.project.config.limits, prepared.wishes.limits ?? {});
  const definition = wantedDefinition(found.definition, prepared, terminal.folder);
  const roles = withPlaces(definition.roles, found.roles);
  await checkModels({ ...definition, roles }, prepared.actors, limits);
  refuseProblems(checkServerNames(Object.keys(roles), roles, knownServers(prepared.project)), UNKNOWN_SERVERS);
  return await withDriving(invocation, prepared, async (driving) => {
    warnOfTools(driving, definition);
    // Known before there is a run, so that what is told of its beginning can be told by its name.
    const run = driving.world.newRunId();
    return await printAndDrive(driving, run, async () => {
      const terms = startTerms(prepared);
      await driving.host.start({ ...startOptions({ prepared, definition, input, limits }), run, terms });
      reportStarted(terminal, run);
      return run;
    });
  });
}

const UNKNOWN_SERVERS = 'The workflow names MCP servers that are not configured.';

/** A misspelt tool in `ask` would never be asked about: whoever starts the run must hear of it. */
function warnOfTools({ world, invocation }: Driving, { workflow, library, roles }: Definition): void {
  const used = new Set([workflow, ...Object.values(library)].flatMap(({ agents }) => agents.map(({ role }) => role)));
  for (const name of used) {
    const role = roles[name];
    const problems = role === undefined ? [] : toolsFor(role, world.tools).problems;
    for (const problem of problems) {
      invocation.terminal.stderr.write(`${problemText({ ...problem, severity: 'warning' })}\n`);
    }
  }
}

interface Start {
  readonly prepared: Preparation;
  readonly definition: Definition;
  readonly input: JsonObject;
  readonly limits: Partial<Limits>;
}

function startOptions({ prepared, definition, input, limits }: Start) {
  return { definition, input, limits, project: prepared.project.root, title: runTitle(input) };
}
