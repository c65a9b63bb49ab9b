import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EvidenceView } from '../../../src/protocol/review/compare-view.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** What the engine saw when it ran the user's command; its output on unfolding. */
export function EvidenceCell({
  evidence,
  isOpen = false,
}: {
  readonly evidence: EvidenceView;
  readonly isOpen?: boolean;
}): ReactNode {
  const { isGreen, passed, failed, exitCode, problem, output, tampered } = evidence;
  const Icon = isGreen ? Check : X;
  const counts = [
    passed === null ? '' : `${passed} passed`,
    failed === null || failed === 0 ? '' : `${failed} failed`,
  ].filter((text) => text !== '');
  const words =
    counts.length > 0 ? counts.join(', ') : exitCode === null ? (problem ?? 'came to no end') : `exit code ${exitCode}`;
  return (
    <div className="flex flex-col gap-1">
      <details open={isOpen}>
        <summary className={`cursor-default text-sm ${isGreen ? 'text-ok' : 'text-bad'}`}>
          <Icon size={12} aria-hidden className="mr-1 inline align-[-1px]" />
          {isGreen ? 'green' : 'red'}, {visibleText(words)}
        </summary>
        <div
          className="mt-1 max-h-72 max-w-xl overflow-auto rounded-md bg-sunken p-2"
          tabIndex={0}
          role="region"
          aria-label="What it printed"
        >
          <PlainText text={output === '' ? 'It printed nothing.' : output} />
        </div>
      </details>
      {tampered.map(({ path, how }) => (
        <span key={path} className="text-sm text-bad">
          {visibleText(path)} {visibleText(how)}; yours was used instead
        </span>
      ))}
    </div>
  );
}
