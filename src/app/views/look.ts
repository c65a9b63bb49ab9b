import type { Json } from '../../core/model/json.ts';
import type { RunInfo } from '../../journal/port.ts';
import { BusLines } from '../../protocol/bus/bus-line.ts';
import type { Shown, View } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import { FAMILY_VIEWERS } from '../../formats/registry/app-views.ts';
import { branchList } from '../results/with-git.ts';
import { findRun } from '../runs/find-run.ts';
import type { Asking } from '../runs/session.ts';
import type { OpenStore } from '../world/store.ts';
import { artifactLine, artifactList, whyList, withArtifacts } from './artifacts-of.ts';
import { readTree } from '../runs/tree-reader.ts';
import { changesLine, changesOf } from './changes-of.ts';
import { metricsOf } from './metrics-of.ts';
import { rawTurns } from './raw-logs.ts';
import { requestsOf } from './requests-of.ts';
import { showRun } from './show-run.ts';

export interface LookAsking extends Asking {
  readonly store: OpenStore;
}

/** What a view of a run shows, as programs get it. */
export async function look<Kind extends View['kind']>(asking: LookAsking, view: Of<Kind>): Promise<Shown<Kind>> {
  const { caller, store } = asking;
  const info = await findRun(store.journal, view.run, caller.folder);
  // The table has each kind with its own view.
  const viewer = VIEWERS[view.kind] as (asking: LookAsking, info: RunInfo, view: View) => Promise<Shown<Kind>>;
  return caller.secrets.redactJson(JSON.parse(JSON.stringify(await viewer(asking, info, view))) as Json) as Shown<Kind>;
}

type Of<Kind extends View['kind']> = Extract<View, { readonly kind: Kind }>;

type Viewers = {
  readonly [Kind in View['kind']]: (asking: LookAsking, info: RunInfo, view: Of<Kind>) => Promise<Shown<Kind>>;
};

const VIEWERS: Viewers = {
  show: (asking, { run }) => showRun(asking, run),
  ...FAMILY_VIEWERS,
  messages: async ({ store }, { run }) => {
    const lines = new BusLines();
    const all = (await readTree(store.journal, run)).map((record) => lines.lineOf(record));
    return { kind: 'messages', run, ...whole(all.filter((line) => line !== null)) };
  },
  metrics: (asking, { run }) => metricsOf(asking, { run, isAll: false, since: null }),
  branches: (_asking, info) => branchList(info),
  requests: (asking, _info, view) => requestsOf(asking, view),
  changes: async (asking, info, view) =>
    changesLine(info.run, await changesOf(asking, info, { ...view, hasSizes: true })),
  rawLogs: async ({ store }, info, { task }) => ({
    kind: 'lines',
    run: info.run,
    ...whole(await rawLines(store, info, task)),
  }),
  artifacts: (asking, info, { why }) =>
    withArtifacts(asking, info, async (artifacts) =>
      why === true ? whyList(artifacts, null) : artifactList(artifacts),
    ),
  artifact: (asking, info, { artifact }) =>
    withArtifacts(asking, info, (artifacts) => artifactLine(artifacts, artifacts.find(artifact))),
};

async function rawLines(
  store: OpenStore,
  { run }: RunInfo,
  wanted: string | undefined,
): Promise<Shown<'rawLogs'>['items']> {
  const turns = await rawTurns(store, run, wanted);
  const all = await Promise.all(
    turns.map(async ({ task, lines }) => (await lines()).map((line) => ({ kind: 'line' as const, run, task, line }))),
  );
  return all.flat();
}
