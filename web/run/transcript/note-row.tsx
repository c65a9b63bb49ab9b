import { Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NoteEntry } from '../../model/transcript-entry.ts';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';

const LOOKS = {
  plain: { icon: Info, tone: 'text-muted' },
  warn: { icon: TriangleAlert, tone: 'text-warn' },
  bad: { icon: X, tone: 'text-bad' },
} as const;

export function NoteRow({ entry: { tone: kind, text, code, outcome } }: { readonly entry: NoteEntry }): ReactNode {
  const { icon: Icon, tone } = LOOKS[kind];
  return (
    <p className={classNames('flex items-start gap-1.5 text-sm', tone)}>
      <Icon size={12} aria-hidden className="mt-1 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {outcome !== null && <span className="font-medium">{outcome}: </span>}
        {visibleText(text)} {code !== null && <code className="text-xs">{code}</code>}
      </span>
    </p>
  );
}
