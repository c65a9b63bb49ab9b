import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { InputField, PlacedProblem, RolePage, WorkflowPage } from '../../src/protocol/web/workflow-page.ts';
import { workflowQuery } from '../api/queries.ts';
import { useSelection } from '../model/selection.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Badge } from '../ui/marks.tsx';
import { Empty, type TabItem, Tabs } from '../ui/boxes.tsx';
import { PlainText, visibleText } from '../ui/text.tsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { overlays } from '../shell/overlays.ts';
import { useRoleReason } from '../ui/use-role.ts';
import { Button, classNames } from '../ui/controls.tsx';
import { type SourceLine, sourceLines } from './source-lines.ts';
import { counted } from '../../src/protocol/amounts.ts';

export function InputList({ inputs }: { readonly inputs: readonly InputField[] }): ReactNode {
  if (inputs.length === 0) return <Empty title="No inputs" why="This workflow has no inputs." />;
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

/** The agents of a workflow and their prompts. */
export function RoleList({ roles }: { readonly roles: readonly RolePage[] }): ReactNode {
  if (roles.length === 0)
    return <Empty title="No roles" why="No agent acts in this workflow: it only runs commands or asks people." />;
  return (
    <ul className="divide-y divide-line">
      {roles.map((role) => (
        <li key={role.name} className="px-4 py-2">
          <Role page={role} />
        </li>
      ))}
    </ul>
  );
}

function Role({ page: { name, role, prompt, file } }: { readonly page: RolePage }): ReactNode {
  const tools = role.includedTools === null ? 'all tools' : role.includedTools.join(', ');
  return (
    <details>
      <summary className="flex cursor-pointer flex-wrap items-center gap-2">
        <span className="font-medium">{visibleText(name)}</span>
        <Badge>{role.actor ?? role.level}</Badge>
        <Badge tone={role.mode === 'read' ? 'neutral' : 'warn'}>may {role.mode ?? 'write'}</Badge>
        {role.network === true && <Badge tone="warn">network</Badge>}
        <span className="min-w-0 truncate text-sm text-muted">{file === null ? '' : visibleText(file)}</span>
      </summary>
      <div className="mt-2 flex flex-col gap-2 border-l border-line pl-3">
        <p className="text-sm text-muted">
          {visibleText(tools)}
          {role.excludedTools.length > 0 && `; not ${visibleText(role.excludedTools.join(', '))}`}
          {role.signals !== undefined && `; ends with ${role.signals.join(', ')}`}
        </p>
        {prompt === '' ? <p className="text-muted">It has no prompt beyond its task.</p> : <PlainText text={prompt} />}
      </div>
    </details>
  );
}

/** The file as its author wrote it, with its problems where they are. */
export function SourceText({ page: { text, file, problems } }: { readonly page: WorkflowPage }): ReactNode {
  const { lines, elsewhere } = useMemo(() => sourceLines(text ?? '', file, problems), [text, file, problems]);
  const [{ line: chosen }] = useSelection();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: it returns a promise in new browsers, which is no clean-up.
    place.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'center' });
  }, [chosen]);
  return (
    <div ref={place}>
      {elsewhere.map((problem) => (
        <Problem key={`${problem.code} ${problem.message}`} problem={problem} />
      ))}
      {text === null ? (
        <Empty title="No text" why="This workflow comes from code, so there is no file to show." />
      ) : (
        <ol className="py-2 font-mono text-sm leading-5">
          {lines.map((line) => (
            <Line key={line.number} line={line} isChosen={line.number === chosen} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Line({
  line: { number, text, problems },
  isChosen,
}: {
  readonly line: SourceLine;
  readonly isChosen: boolean;
}): ReactNode {
  return (
    <li data-chosen={isChosen || undefined}>
      <div
        className={classNames(
          'flex',
          isChosen && 'bg-accent-soft',
          problems.length > 0 &&
            (problems.some(({ severity }) => severity === 'error') ? 'bg-bad-soft' : 'bg-warn-soft'),
        )}
      >
        <span className="num w-11 shrink-0 pr-3 text-right text-muted select-none">{number}</span>
        <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{visibleText(text)}</span>
      </div>
      {problems.map((problem) => (
        <Problem key={`${problem.code} ${problem.message}`} problem={problem} />
      ))}
    </li>
  );
}

function Problem({
  problem: { severity, code, message, hint, file, line },
}: {
  readonly problem: PlacedProblem;
}): ReactNode {
  const isError = severity === 'error';
  return (
    <div className={classNames('border-l-2 py-1 pr-3 pl-11 font-sans', isError ? 'border-bad' : 'border-warn')}>
      <p>
        <Badge tone={isError ? 'bad' : 'warn'}>{severity}</Badge> {visibleText(message)}
      </p>
      {hint !== null && <p className="text-muted">{visibleText(hint)}</p>}
      <p className="font-mono text-xs text-muted">
        {code}
        {file !== null && ` · ${visibleText(file)}${line === null ? '' : `:${line}`}`}
      </p>
    </div>
  );
}

export function WorkflowHeader({ page }: { readonly page: WorkflowPage }): ReactNode {
  const { name, description, origin, file, problems } = page;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const roleReason = useRoleReason('start');
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="flex items-center gap-2 text-lg font-semibold">
          {visibleText(name)}
          <Badge tone={origin === 'project' ? 'accent' : 'neutral'}>{origin}</Badge>
          <Soundness errors={errors} warnings={problems.length - errors} />
        </h1>
        <p className="text-muted">{visibleText(description)}</p>
        {file !== null && <p className="truncate font-mono text-xs text-muted">{visibleText(file)}</p>}
      </div>
      <Button
        kind="primary"
        disabledReason={roleReason ?? (errors > 0 ? 'It has errors: fix them first' : null)}
        onClick={() => overlays.start(name)}
      >
        Start a run
      </Button>
    </div>
  );
}

function Soundness({ errors, warnings }: { readonly errors: number; readonly warnings: number }): ReactNode {
  if (errors + warnings === 0)
    return (
      <Badge tone="ok">
        <CircleCheck size={12} aria-hidden /> no problems
      </Badge>
    );
  const words = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : ''].filter(
    Boolean,
  );
  return (
    <Badge tone={errors > 0 ? 'bad' : 'warn'}>
      <CircleAlert size={12} aria-hidden /> {words.join(', ')}
    </Badge>
  );
}

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
            ? 'The file is too broken to be drawn. Its problems are shown in its text.'
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
      <div role="region" aria-label="Selection" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
        {part === 'text' && <SourceText page={page} />}
        {part === 'roles' && <RoleList roles={roles} />}
        {part === 'inputs' && <InputList inputs={inputs} />}
      </div>
    </Tabs>
  );
}
