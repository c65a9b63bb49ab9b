import { ReactFlowProvider } from '@xyflow/react';
import { ListTree, Workflow } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useIsNarrow } from '../../ui/use-media.ts';
import { OutlineTree } from '../outline/outline-tree.tsx';
import { GraphBar } from './graph-bar.tsx';
import { LiveGraph } from './live-graph.tsx';
import { useGraphView } from './use-graph-view.ts';

type Form = 'graph' | 'outline';

/** The run as a picture, or as an outline of the same: the outline first where there is little room. */
export function GraphPanel(): ReactNode {
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<Form | null>(null);
  const shown = useGraphView();
  const form = chosen ?? (isNarrow ? 'outline' : 'graph');
  const lead = <FormSwitch form={form} onChange={setChosen} />;
  return (
    <section aria-label="Workflow" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {form === 'graph' && shown.view !== null ? (
        <ReactFlowProvider>
          <LiveGraph shown={shown} view={shown.view} lead={lead} />
        </ReactFlowProvider>
      ) : (
        <>
          <GraphBar lead={lead} />
          {form === 'outline' ? <OutlineTree /> : <WhyNone error={shown.error} />}
        </>
      )}
    </section>
  );
}

function WhyNone({ error }: { readonly error: Error | null }): ReactNode {
  if (error !== null) return <Empty title="The graph cannot be drawn" why={error.message} />;
  return <div className="grid flex-1 place-items-center text-muted">Drawing the graph …</div>;
}

interface SwitchProps {
  readonly form: Form;
  readonly onChange: (form: Form) => void;
}

function FormSwitch({ form, onChange }: SwitchProps): ReactNode {
  return (
    <span className="flex gap-0.5">
      <IconButton label="Show the graph" isPressed={form === 'graph'} onClick={() => onChange('graph')}>
        <Workflow size={15} aria-hidden />
      </IconButton>
      <IconButton label="Show the outline" isPressed={form === 'outline'} onClick={() => onChange('outline')}>
        <ListTree size={15} aria-hidden />
      </IconButton>
    </span>
  );
}
