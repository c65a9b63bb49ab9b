import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { aboutQuery, workflowsQuery } from '../api/queries.ts';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useTyped } from '../ui/use-typed.ts';
import { parseBoardSearch, type BoardSearch } from './board-search.ts';

interface Props {
  readonly search: BoardSearch;
  readonly onChange: (search: BoardSearch) => void;
}

export function BoardFilters({ search, onChange }: Props): ReactNode {
  const { data: about } = useQuery(aboutQuery);
  const { data: workflows = [] } = useQuery(workflowsQuery);
  const names = [
    ...new Set([...workflows.map(({ name }) => name), ...(search.workflow === undefined ? [] : [search.workflow])]),
  ];
  const projects = [...new Set([about?.project, search.project])].filter((project) => project !== undefined);
  const change = (part: Readonly<Record<string, string>>): void => onChange(parseBoardSearch({ ...search, ...part }));
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <Words words={search.q ?? ''} onChange={(q) => change({ q })} />
      <Select
        aria-label="Workflow"
        className="max-md:flex-1"
        value={search.workflow ?? ''}
        onChange={(workflow) => change({ workflow })}
        options={[{ value: '', label: 'All workflows' }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <Select
        aria-label="Project"
        className="max-md:flex-1"
        value={search.project ?? ''}
        onChange={(project) => change({ project })}
        options={[
          { value: '', label: 'All projects' },
          ...projects.map((project) => ({
            value: project,
            label: project === about?.project ? 'This project' : project,
          })),
        ]}
      />
    </search>
  );
}

/** What is typed goes into the address when the person pauses. */
function Words({ words, onChange }: { readonly words: string; readonly onChange: (words: string) => void }): ReactNode {
  const [typed, setTyped] = useTyped(words, onChange);
  return (
    <div className="relative min-w-40 flex-1 max-md:basis-full md:max-w-80">
      <Search size={14} aria-hidden className="absolute top-[7px] left-2 text-muted" />
      <TextField
        data-search
        type="search"
        aria-label="Search in titles, workflows, ids and projects"
        placeholder="Search runs"
        className="pl-7"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
