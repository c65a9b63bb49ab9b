import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface TabItem<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A count or a mark beside the label. */
  readonly badge?: ReactNode;
}

interface Props<Value extends string> {
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

export function Tabs<Value extends string>({ label, tabs, value, onChange, children, end }: Props<Value>): ReactNode {
  return (
    <Base.Root
      value={value}
      onValueChange={(next: Value) => onChange(next)}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <div className="flex shrink-0 items-center border-b border-line">
        <Base.List aria-label={label} className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-2 [scrollbar-width:none]">
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.value}
              value={tab.value}
              className="flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 text-muted -outline-offset-2 hover:text-text data-[active]:border-accent data-[active]:text-text"
            >
              {tab.label}
              {tab.badge}
            </Base.Tab>
          ))}
        </Base.List>
        {end}
      </div>
      <Base.Panel value={value} className="flex min-h-0 flex-1 flex-col" tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
