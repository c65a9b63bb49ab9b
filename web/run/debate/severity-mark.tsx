import type { ReactNode } from 'react';
import type { Severity } from '../../../src/core/review/finding.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

const TONES: Readonly<Record<Severity, Tone>> = { critical: 'bad', major: 'warn', minor: 'info', nit: 'neutral' };

export function SeverityMark({ severity, count }: { readonly severity: Severity; readonly count?: number }): ReactNode {
  return (
    <Badge tone={TONES[severity]}>
      {count === undefined ? '' : `${count} `}
      {severity}
    </Badge>
  );
}
