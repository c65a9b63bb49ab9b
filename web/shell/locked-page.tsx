import { KeyRound } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { session, tokenIn } from '../api/session.ts';
import { Button, TextField } from '../ui/controls.tsx';

interface LockedProps {
  readonly onOpen: () => void;
}

/** Without a token nothing is shown; this says how to get one. */
export function LockedPage({ onOpen }: LockedProps): ReactNode {
  const [reason] = useState(session.reason);
  const isTeam = reason !== null && reason.code !== 'TOKEN_NEEDED';
  return (
    <main className="mx-auto flex min-h-full max-w-lg flex-col justify-center gap-3 px-5 py-10">
      <KeyRound size={22} aria-hidden className="text-muted" />
      {isTeam ? <SignIn said={reason} onOpen={onOpen} /> : <OwnKey onOpen={onOpen} />}
    </main>
  );
}

/** The words for what happened to somebody who was signed in. */
const ENDED: Readonly<Record<string, string>> = {
  TOKEN_REVOKED: 'Your token was revoked',
  TOKEN_EXPIRED: 'Your token has expired',
};

/** On a team's server everybody has a token with a name. */
function SignIn({ said, onOpen }: LockedProps & { readonly said: { readonly code: string } }): ReactNode {
  const ended = ENDED[said.code];
  return (
    <>
      <h1 className="text-xl font-semibold">{ended ?? 'Sign in'}</h1>
      <p className="text-muted">
        {ended !== undefined && 'Runs continue without this page. '}
        This server belongs to a team. Its administrator gives you a token, made with{' '}
        <code className="rounded-sm bg-sunken px-1 text-text">troupe token new</code>.
      </p>
      <KeyForm
        label="Your token"
        type="password"
        verb="Sign in"
        none="This is not a token. A token begins with troupe_."
        wrong="The server does not know this token. It may have been revoked."
        onOpen={onOpen}
      />
    </>
  );
}

function OwnKey({ onOpen }: LockedProps): ReactNode {
  return (
    <>
      <h1 className="text-xl font-semibold">This page needs its key</h1>
      <p className="text-muted">
        Troupe shows your runs only to the user who opened it from a terminal. Go to the terminal, run{' '}
        <code className="rounded-sm bg-sunken px-1 text-text">troupe serve</code> and open the address it prints.
      </p>
      <KeyForm
        label="Or paste that address here"
        type="text"
        placeholder="http://127.0.0.1:4173/#t=…"
        verb="Open"
        none='There is no token in it. It stands behind "#t=".'
        wrong="The server does not know this token. It may be of another one, or of one that has been stopped."
        onOpen={onOpen}
      />
    </>
  );
}

interface KeyFormProps extends LockedProps {
  readonly label: string;
  readonly type: 'text' | 'password';
  readonly placeholder?: string;
  readonly verb: string;
  /** Said where there is no token in what was written. */
  readonly none: string;
  /** Said where the server does not take it. */
  readonly wrong: string;
}

function KeyForm({ label, type, placeholder, verb, none, wrong, onOpen }: KeyFormProps): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const enter = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const token = tokenIn(text);
    if (token === null) return setProblem(none);
    await session.open(token);
    if (session.state() === 'open') onOpen();
    else setProblem(wrong);
  };
  return (
    <form onSubmit={(event) => void enter(event)} className="flex flex-col gap-2">
      <label htmlFor="address" className="font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <TextField
          id="address"
          type={type}
          autoComplete={type === 'password' ? 'current-password' : 'off'}
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          aria-invalid={problem !== ''}
          aria-describedby="address-problem"
          onChange={(event) => setText(event.target.value)}
        />
        <Button kind="primary" type="submit">
          {verb}
        </Button>
      </div>
      <p id="address-problem" role="alert" className="min-h-5 text-bad">
        {problem}
      </p>
    </form>
  );
}
