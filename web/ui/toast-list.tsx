import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { toasts, type ShownToast } from './toasts.ts';
import { visibleText } from './visible-text.ts';

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
