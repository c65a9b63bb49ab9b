import { Check, Copy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { toast } from './toasts.ts';

interface Props {
  readonly label: string;
  /** Asked when it is pressed. */
  readonly text: () => string;
  readonly icon?: ReactNode;
}

export function CopyButton({ label, text, icon }: Props): ReactNode {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      toast({ tone: 'bad', title: 'The browser did not let it be copied.' });
    }
  };
  return (
    <IconButton label={isDone ? 'Copied' : label} onClick={() => void copy()}>
      {isDone ? <Check size={14} aria-hidden className="text-ok" /> : (icon ?? <Copy size={14} aria-hidden />)}
    </IconButton>
  );
}
