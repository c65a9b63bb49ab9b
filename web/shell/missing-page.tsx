import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../ui/empty.tsx';

export function MissingPage(): ReactNode {
  return (
    <Empty
      title="There is no such page"
      why="The address may have been cut, or it is of another version of Troupe."
      action={
        <Link to="/" className="text-accent underline">
          Go to the board
        </Link>
      }
    />
  );
}
