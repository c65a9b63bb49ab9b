import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { WorkflowPage } from '../../src/protocol/web/workflow-page.ts';
import { workflowQuery } from '../api/queries.ts';
import { useSelection } from '../model/selection.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Badge } from '../ui/badge.tsx';
import { Empty } from '../ui/empty.tsx';
import { Tabs, type TabItem } from '../ui/tabs.tsx';
import { InputList } from './input-list.tsx';
import { RoleList } from './role-list.tsx';
import { SourceText } from './source-text.tsx';
import { WorkflowHeader } from './workflow-header.tsx';

const WorkflowGraph = lazy(async () => ({ default: (await import('../run/graph/workflow-graph.tsx')).WorkflowGraph }));

/** A workflow before it runs: its graph, what is wrong with it and where, who acts in it, what it asks for. */
export function WorkflowView(): ReactNode {
  const { name } = useParams({ from: '/workflows/$name' });
  usePageTitle(name);
  const { data: page, error } = useQuery(workflowQuery(name));
  if (error !== null) return <Empty title="This workflow cannot be shown" why={error.message} />;
  if (page === undefined) return <p className="grid flex-1 place-items-center text-muted">Reading the workflow …</p>;
  return (
    <>
      <WorkflowHeader page={page} />
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        <div className="flex min-h-[50vh] flex-1 flex-col border-line max-md:border-b md:min-h-0 md:border-r">
          <Graph page={page} />
        </div>
        <div className="flex min-h-[60vh] flex-1 flex-col md:min-h-0">
          <Parts page={page} />
        </div>
      </div>
    </>
  );
}

function Graph({ page: { name, graph, problems, workflow } }: { readonly page: WorkflowPage }): ReactNode {
  const [, select] = useSelection();
  if (graph === null)
    return (
      <Empty
        title="No graph"
        why={
          workflow === null
            ? 'The file is too broken to be drawn. Its problems stand in its text.'
            : 'It could not be drawn.'
        }
      />
    );
  return (
    <Suspense fallback={<p className="p-4 text-muted">Drawing …</p>}>
      <WorkflowGraph
        graph={graph}
        name={name}
        problems={problems}
        onSelect={({ state, line }) => select({ state: state ?? undefined, line: line ?? undefined })}
      />
    </Suspense>
  );
}

type Part = 'text' | 'roles' | 'inputs';

function Parts({ page }: { readonly page: WorkflowPage }): ReactNode {
  const [part, setPart] = useState<Part>('text');
  const { problems, roles, inputs } = page;
  const wrong = problems.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  const tabs: readonly TabItem<Part>[] = [
    { value: 'text', label: 'File', badge: problems.length > 0 ? <Badge tone={wrong}>{problems.length}</Badge> : null },
    { value: 'roles', label: 'Roles', badge: <span className="num text-muted">{roles.length}</span> },
    { value: 'inputs', label: 'Inputs', badge: <span className="num text-muted">{inputs.length}</span> },
  ];
  return (
    <Tabs label="Parts of the workflow" tabs={tabs} value={part} onChange={setPart}>
      <div role="region" aria-label="What was chosen" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
        {part === 'text' && <SourceText page={page} />}
        {part === 'roles' && <RoleList roles={roles} />}
        {part === 'inputs' && <InputList inputs={inputs} />}
      </div>
    </Tabs>
  );
}
