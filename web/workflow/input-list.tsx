import type { ReactNode } from 'react';
import type { InputField } from '../../src/protocol/web/workflow-page.ts';
import { Badge } from '../ui/badge.tsx';
import { Empty } from '../ui/empty.tsx';
import { visibleText } from '../ui/visible-text.ts';

export function InputList({ inputs }: { readonly inputs: readonly InputField[] }): ReactNode {
  if (inputs.length === 0) return <Empty title="No inputs" why="This workflow starts without being told anything." />;
  return (
    <dl className="divide-y divide-line">
      {inputs.map(({ name, type, description, isRequired, default: value }) => (
        <div key={name} className="px-4 py-2">
          <dt className="flex items-center gap-2 font-medium">
            {visibleText(name)} <Badge>{type}</Badge> {isRequired && <Badge tone="accent">needed</Badge>}
          </dt>
          <dd className="text-muted">
            {visibleText(description)}
            {value !== null && <span className="font-mono text-sm"> default: {visibleText(value)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
