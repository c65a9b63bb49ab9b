import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { Component, type ReactElement, type ReactNode, type Ref, type UIEventHandler, useRef } from 'react';
import { Button, classNames, IconButton } from './controls.tsx';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { visibleText } from './text.tsx';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, the chief one last. */
  readonly footer?: ReactNode;
  /** `wide` for what has to be compared or read. */
  readonly size?: 'small' | 'wide';
}

const WIDTH = { small: 'sm:w-[560px]', wide: 'sm:w-[min(960px,94vw)]' };

/** Focuses the first field of a dialog, or the dialog itself if it has none. */
const FIRST = ':is(textarea, input:not([type="hidden"]), select)';

/** Focuses what a dialog begins with. The library does so a frame later, and what is typed until then would be lost. */
export function focusNow(first: HTMLElement | null): false {
  first?.focus();
  return false;
}

export function Dialog({ title, open, onClose, children, footer, size = 'small' }: DialogProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root open={open} onOpenChange={(isOpen) => isOpen || onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-black/35" />
        <BaseDialog.Popup
          ref={popup}
          initialFocus={() => focusNow(popup.current?.querySelector<HTMLElement>(FIRST) ?? popup.current)}
          className={`fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-lg border border-line bg-raised text-text shadow-float sm:inset-auto sm:top-[8vh] sm:left-1/2 sm:max-h-[84vh] sm:-translate-x-1/2 sm:rounded-lg ${WIDTH[size]}`}
        >
          <header className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
            <BaseDialog.Title className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton label="Close" />}>
              <X size={15} aria-hidden />
            </BaseDialog.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
              {footer}
            </footer>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

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

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
}

export function Menu({ trigger, items }: MenuProps): ReactNode {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align="end" sideOffset={4} className="z-50">
          <BaseMenu.Popup className="min-w-44 rounded-md border border-line bg-raised p-1 text-text shadow-float outline-none">
            {items.map((item) => (
              <Item key={item.label} item={item} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function Item({ item }: { readonly item: MenuItem }): ReactNode {
  const reason = item.disabledReason ?? '';
  return (
    <BaseMenu.Item
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
    </BaseMenu.Item>
  );
}

export interface TabItem<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A count or a mark beside the label. */
  readonly badge?: ReactNode;
}

interface TabsProps<Value extends string> {
  /** Read aloud: what is chosen here. */
  readonly label: string;
  readonly tabs: readonly TabItem<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** The panel of the chosen one. */
  readonly children?: ReactNode;
  /** At the right end of the row. */
  readonly end?: ReactNode;
}

export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
  end,
}: TabsProps<Value>): ReactNode {
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next: Value) => onChange(next)}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <div className="flex shrink-0 items-center border-b border-line">
        <BaseTabs.List
          aria-label={label}
          className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-2 [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <BaseTabs.Tab
              key={tab.value}
              value={tab.value}
              className="flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 text-muted -outline-offset-2 hover:text-text data-[active]:border-accent data-[active]:text-text"
            >
              {tab.label}
              {tab.badge}
            </BaseTabs.Tab>
          ))}
        </BaseTabs.List>
        {end}
      </div>
      <BaseTabs.Panel value={value} className="flex min-h-0 flex-1 flex-col" tabIndex={-1}>
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}

interface ScrollBoxProps {
  /** Read aloud. */
  readonly label: string;
  readonly className?: string;
  readonly ref?: Ref<HTMLDivElement>;
  readonly onScroll?: UIEventHandler<HTMLDivElement>;
  readonly children: ReactNode;
}

/** A scrolling area that can have the focus, so that keys can scroll it. It also contains hidden text for screen readers. */
export function ScrollBox({ label, className = '', ref, onScroll, children }: ScrollBoxProps): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <div
      ref={ref}
      onScroll={onScroll}
      tabIndex={0}
      role="region"
      aria-label={label}
      className={`relative ${className}`}
    >
      {children}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** Why there is nothing, and when there will be. */
  readonly why: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, why, action }: EmptyProps): ReactNode {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-1 px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      <div className="text-muted">{why}</div>
      {action !== undefined && <div className="pt-2">{action}</div>}
    </div>
  );
}

interface FaultBoundaryProps {
  /** What is inside, for people: "The time line". */
  readonly name: string;
  readonly children: ReactNode;
}

/** A part of the page that fails takes no other part with it. */
export class FaultBoundary extends Component<FaultBoundaryProps, { readonly fault: string | null }> {
  override readonly state = { fault: null };

  static getDerivedStateFromError(error: unknown): { readonly fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { name, children } = this.props;
    const { fault } = this.state;
    if (fault === null) return children;
    return (
      <Empty
        title={`${name} has a fault`}
        why={
          <p className="wrap-anywhere">
            The run is not affected, and the other parts of the page still work. {visibleText(fault)}
          </p>
        }
        action={<Button onClick={() => this.setState({ fault: null })}>Try again</Button>}
      />
    );
  }
}
