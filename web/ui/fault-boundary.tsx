import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { visibleText } from './visible-text.ts';

interface Props {
  /** What is inside, for people: "The time line". */
  readonly name: string;
  readonly children: ReactNode;
}

/** A part of the page that fails takes no other part with it. */
export class FaultBoundary extends Component<Props, { readonly fault: string | null }> {
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
            The run is not touched by it, and the other parts of the page go on. {visibleText(fault)}
          </p>
        }
        action={<Button onClick={() => this.setState({ fault: null })}>Try again</Button>}
      />
    );
  }
}
