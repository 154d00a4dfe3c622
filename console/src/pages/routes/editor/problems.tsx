import type { Answer } from '../../../api/call.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Notice } from '../../../parts/states.tsx';

/** What is wrong with what was typed, and where; and what is right and yet serves nobody. */
export function Problems({ check, error }: { check: Answer<'checkRoute'> | undefined; error: Error | null }) {
  if (error) return <Failure error={error} />;
  if (check === undefined) return <p className="h-9 py-2 text-small text-faint">Being checked…</p>;
  if (!check.valid) {
    return (
      <Notice tone="bad">
        <ul className="grid gap-1">
          {check.problems.map(({ path, message, line, column }) => (
            <li key={`${path} ${message}`}>
              {line !== null && `Line ${line}${column === null ? '' : `, column ${column}`}: `}
              {path !== '' && <code className="font-mono">{path}</code>} {message}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (check.unserved.length > 0) {
    return (
      <Notice tone="warn">
        <ul>
          {check.unserved.map(({ model, detail }) => (
            <li key={model}>
              {model}: {detail}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  return <Notice tone="good">It can be put in force.</Notice>;
}
