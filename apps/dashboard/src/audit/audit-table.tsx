import type { AuditEntry } from '@bottega/contract';
import { Code, Text } from '@mantine/core';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { auditWords, credentialWords, meaningWords } from './audit.words.ts';

/** The entries of an audit log. With `accounts`, each entry shows its account, because the log covers all accounts. */
export function AuditTable({ entries, accounts = false }: { entries: readonly AuditEntry[]; accounts?: boolean }) {
  const words = useWords(auditWords);
  const columns: Column<AuditEntry>[] = [
    { name: words.when, cell: (entry) => <Ago at={entry.created_at} />, isWhole: true },
    { name: words.what, cell: (entry) => <What entry={entry} /> },
    ...(accounts ? [{ name: words.account, cell: (entry: AuditEntry) => <Who entry={entry} /> }] : []),
    { name: words.where, cell: (entry) => entry.address },
    { name: words.by, cell: (entry) => <By kind={entry.credential?.kind} /> },
  ];
  return (
    <DataTable
      rows={entries}
      columns={columns}
      keyOf={({ id }) => id}
      minWidth={accounts ? 720 : 480}
      label={words.log}
    />
  );
}

function Who({ entry }: { entry: AuditEntry }) {
  const { account_id: account, actor_id: actor } = entry;
  const words = useWords(auditWords);
  return (
    <>
      <Person id={account} name={entry.account_name} />
      {actor !== null && actor !== account && (
        <Text size="xs" c="dimmed" component="div">
          {words.doneBy} <Person id={actor} name={entry.actor_name} />
        </Text>
      )}
    </>
  );
}

function What({ entry: { action, subject_id: subject, subject_name: name, details } }: { entry: AuditEntry }) {
  const meanings: Record<string, string> = useWords(meaningWords);
  const shownDetails = Object.entries(details).filter(([, value]) => shown(value) !== '');
  return (
    <>
      <Text size="sm">{meanings[action] ?? action}</Text>
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        <Code>{action}</Code> {name ? <span title={subject ?? ''}>{name}</span> : subject}
        {shownDetails.map(([name, value]) => (
          <div key={name} translate="no">
            {name}: {shown(value)}
          </div>
        ))}
      </Text>
    </>
  );
}

/** Shows a change as its old and new value. Shows anything else unchanged. */
function shown(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  if ('from' in value && 'to' in value) return `${shown(value.from)} → ${shown(value.to)}`;
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return Object.entries(value)
    .map(([name, part]) => `${name} ${shown(part)}`)
    .join(', ');
}

/**
 * Shows the name of an account. If the account no longer exists, shows the end of its id, which distinguishes it from
 * others.
 */
function Person({ id, name }: { id: string; name: string | null }) {
  const words = useWords(auditWords);
  if (name !== null) {
    return (
      <AnchorLink to="/admin/users/$userId" params={{ userId: id }} size="sm" title={id}>
        {name}
      </AnchorLink>
    );
  }
  return (
    <Text span size="xs" c="dimmed" title={id}>
      {words.gone} …{id.slice(-8)}
    </Text>
  );
}

function By({ kind }: { kind: string | undefined }) {
  const kinds: Record<string, string> = useWords(credentialWords);
  return <Text size="xs">{kind && (kinds[kind] ?? kind)}</Text>;
}
