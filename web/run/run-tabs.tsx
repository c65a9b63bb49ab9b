import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { type Tab, TABS, useSelection } from '../model/selection.ts';
import { FaultBoundary, Tabs } from '../ui/boxes.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { FAMILY_PANELS } from '../formats/panels.ts';
import { AgentsPanel } from './agents/agents-panel.tsx';
import { ArtifactsPanel } from './artifacts/artifacts-panel.tsx';
import { ProblemsPanel } from './problems/problems-panel.tsx';
import { TranscriptPanel } from './transcript/transcript-panel.tsx';
import { problemCount } from '../model/run-history.ts';
import type { RunTree } from '../model/run-tree.ts';
import { useTree } from '../model/use-run.ts';
import { Badge } from '../ui/marks.tsx';

/** The number of open problems, so that the user need not look for them. */
function TabBadge({ tab }: { readonly tab: Tab }): ReactNode {
  const failures = useTree((tree) => (tab === 'problems' ? problemCount(tree) : 0));
  return failures === 0 ? null : <Badge tone="bad">{failures}</Badge>;
}

const ChangesPanel = lazy(async () => ({ default: (await import('./changes/changes-panel.tsx')).ChangesPanel }));
const RequestsPanel = lazy(async () => ({ default: (await import('./requests/requests-panel.tsx')).RequestsPanel }));
const StepPanel = lazy(async () => ({ default: (await import('./step/step-panel.tsx')).StepPanel }));
const EventsPanel = lazy(async () => ({ default: (await import('./events/events-panel.tsx')).EventsPanel }));

interface TabPanel {
  readonly label: string;
  readonly panel: ComponentType;
  readonly isShown?: (tree: RunTree) => boolean;
}

const PANELS: Readonly<Record<Tab, TabPanel>> = {
  agents: { label: 'Agents', panel: AgentsPanel },
  step: { label: 'Step', panel: StepPanel },
  transcript: { label: 'Transcript', panel: TranscriptPanel },
  requests: { label: 'Requests', panel: RequestsPanel },
  ...FAMILY_PANELS,
  changes: { label: 'Changes', panel: ChangesPanel },
  artifacts: { label: 'Artifacts', panel: ArtifactsPanel },
  events: { label: 'Events', panel: EventsPanel },
  problems: { label: 'Problems', panel: ProblemsPanel },
};

export function RunTabs(): ReactNode {
  const [{ tab = 'agents' }, select] = useSelection();
  useShortcut('d', 'Show the changes', () => select({ tab: 'changes' }));
  useShortcut('t', 'Show the transcript', () => select({ tab: 'transcript' }));
  useShortcut('e', 'Show the events', () => select({ tab: 'events' }));
  const hasOwnSearch = tab === 'transcript' || tab === 'events';
  const search = (): void => select({ tab: 'transcript', dialog: 'search' });
  useShortcut('/', 'Search in this run', hasOwnSearch ? null : search);
  const Panel = PANELS[tab].panel;
  const shown = useTree((tree) => TABS.filter((one) => one === tab || PANELS[one].isShown?.(tree) !== false).join(' '));
  const tabs = TABS.filter((one) => shown.split(' ').includes(one)).map((value) => ({
    value,
    label: PANELS[value].label,
    badge: <TabBadge tab={value} />,
  }));
  return (
    <Tabs label="Parts of the run" tabs={tabs} value={tab} onChange={(next) => select({ tab: next })}>
      <FaultBoundary key={tab} name={`The part called ${PANELS[tab].label}`}>
        <Suspense fallback={<p className="p-4 text-muted">Loading …</p>}>
          <Panel />
        </Suspense>
      </FaultBoundary>
    </Tabs>
  );
}
