import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EvidenceView } from '../../../src/protocol/review/compare-view.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';

/** What the engine saw when it ran the user's command; its output on unfolding. */
export function EvidenceCell({
  evidence,
  isOpen = false,
}: {
  readonly evidence: EvidenceView;
  readonly isOpen?: boolean;
}): ReactNode {
  const { isGreen, output, tampered } = evidence;
  const Icon = isGreen ? Check : X;
  return (
    <div className="flex flex-col gap-1">
      <details open={isOpen}>
        <summary className={`cursor-default text-sm ${isGreen ? 'text-ok' : 'text-bad'}`}>
          <Icon size={12} aria-hidden className="mr-1 inline align-[-1px]" />
          {isGreen ? 'green' : 'red'}, {visibleText(wordsOf(evidence))}
        </summary>
        <ScrollBox className="mt-1 max-h-72 max-w-xl overflow-auto rounded-md bg-sunken p-2" label="What it printed">
          <PlainText text={output === '' ? 'It printed nothing.' : output} />
        </ScrollBox>
      </details>
      {tampered.map(({ path, how }) => (
        <span key={path} className="text-sm text-bad">
          <code>{visibleText(path)}</code> {visibleText(how)}; yours was used instead
        </span>
      ))}
    </div>
  );
}

function wordsOf({ passed, failed, exitCode, problem, isGreen }: EvidenceView): string {
  const hasFailed = (failed ?? 0) > 0;
  const end = exitCode === null ? (problem ?? 'came to no end') : `exit code ${exitCode}`;
  const words = [
    ...(passed === null ? [] : [`${passed} passed`]),
    ...(hasFailed ? [`${failed} failed`] : []),
    // What passed does not say why it is red all the same.
    ...((isGreen && passed !== null) || hasFailed ? [] : [end]),
  ];
  return words.join(', ');
}
