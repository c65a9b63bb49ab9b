import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import type { RunPage } from '../../src/protocol/web/run-card.ts';
import { cardWord } from '../model/settled-word.ts';
import { api } from '../api/client.ts';
import { Select } from '../ui/select.tsx';
import { visibleText } from '../ui/visible-text.ts';

interface Props {
  readonly label: string;
  readonly run: string;
  readonly onChoose: (run: string) => void;
}

/** One of the newest runs, or the one that the address names. */
export function RunChoice({ label, run, onChoose }: Props): ReactNode {
  const id = useId();
  const { data } = useQuery({
    queryKey: ['newest runs'],
    queryFn: ({ signal }) => api.get<RunPage>('/api/runs', { limit: 100 }, { signal }),
  });
  const cards = data?.cards ?? [];
  const options = cards.map((card) => ({
    value: card.run,
    label: visibleText(`${card.title === '' ? card.run : card.title} (${card.workflow}, ${cardWord(card)})`),
  }));
  const isKnown = run === '' || cards.some((card) => card.run === run);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Select
        id={id}
        value={run}
        onChange={onChoose}
        options={[{ value: '', label: 'Choose …' }, ...(isKnown ? [] : [{ value: run, label: run }]), ...options]}
      />
    </div>
  );
}
