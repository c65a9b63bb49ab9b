import type { Tone } from './marks.tsx';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { IconButton } from './controls.tsx';
import { visibleText } from './text.tsx';
import { Watched } from '../model/watched.ts';

export interface Toast {
  readonly title: string;
  readonly tone: Tone;
  /** The error code, for searching. */
  readonly code?: string;
  readonly hint?: string;
}

interface ShownToast extends Toast {
  readonly id: number;
}

/** Short words at the edge of the page. An error stays until it is put away. */
class Toasts extends Watched {
  #shown: readonly ShownToast[] = [];
  #count = 0;

  readonly shown = (): readonly ShownToast[] => this.#shown;

  show(toast: Toast): void {
    this.#count += 1;
    const id = this.#count;
    this.#set([...this.#shown.filter(({ title }) => title !== toast.title), { ...toast, id }].slice(-4));
    if (toast.tone !== 'bad') setTimeout(() => this.dismiss(id), 5000);
  }

  dismiss(id: number): void {
    this.#set(this.#shown.filter((toast) => toast.id !== id));
  }

  #set(shown: readonly ShownToast[]): void {
    this.#shown = shown;
    this.notify();
  }
}

const toasts = new Toasts();

export const toast = (words: Toast): void => toasts.show(words);

export function ToastList(): ReactNode {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.shown);
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-3 left-3 z-50 flex flex-col items-end gap-2"
    >
      {shown.map((one) => (
        <Line key={one.id} toast={one} />
      ))}
    </section>
  );
}

function Line({ toast }: { readonly toast: ShownToast }): ReactNode {
  const { id, title, tone, code, hint } = toast;
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className="pointer-events-auto flex w-full max-w-96 gap-2 rounded-lg border border-line bg-raised py-2 pr-1 pl-3 shadow-float"
    >
      <Icon tone={tone} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{visibleText(title)}</p>
        {hint !== undefined && <p className="text-muted">{visibleText(hint)}</p>}
        {code !== undefined && <p className="font-mono text-xs text-muted">{code}</p>}
      </div>
      <IconButton label="Put away" onClick={() => toasts.dismiss(id)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function Icon({ tone }: { readonly tone: ShownToast['tone'] }): ReactNode {
  if (tone === 'bad' || tone === 'warn')
    return <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />;
  if (tone === 'ok') return <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-ok" />;
  return <Info size={16} aria-hidden className="mt-0.5 shrink-0 text-info" />;
}
