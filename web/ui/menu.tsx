import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  /** A shortcut or a word at the right. */
  readonly hint?: ReactNode;
  readonly isDanger?: boolean;
  readonly isChosen?: boolean;
  readonly disabledReason?: string | null | undefined;
  readonly onSelect: () => void;
}

interface Props {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
}

export function Menu({ trigger, items }: Props): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-50">
          <Base.Popup className="min-w-44 rounded-md border border-line bg-raised p-1 text-text shadow-float outline-none">
            {items.map((item) => (
              <Item key={item.label} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ item }: { readonly item: MenuItem }): ReactNode {
  const reason = item.disabledReason ?? '';
  return (
    <Base.Item
      disabled={reason !== ''}
      onClick={item.onSelect}
      className={classNames(
        'flex cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none data-[disabled]:opacity-60 data-[highlighted]:bg-hover',
        item.isDanger === true && 'text-bad',
      )}
    >
      {item.icon}
      <span className="flex-1">
        {item.label}
        {reason !== '' && <span className="block text-sm text-muted">{reason}</span>}
      </span>
      {item.isChosen === true && <span aria-label="chosen">✓</span>}
      {item.hint}
    </Base.Item>
  );
}
