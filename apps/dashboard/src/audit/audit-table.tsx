import type { AuditEntry } from '@bottega/contract';
import { Code, Table, Text } from '@mantine/core';
import { AnchorLink } from '../kit/links.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { auditWords, credentialWords, meaningWords } from './audit.words.ts';

/** With accounts, where the log is everybody's. */
export function AuditTable({ entries, accounts = false }: { entries: AuditEntry[]; accounts?: boolean }) {
  const words = useWords(auditWords);
  return (
    <Table.ScrollContainer
      minWidth={accounts ? 720 : 480}
      className="surface"
      role="region"
      aria-label={words.log}
      tabIndex={0}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.when}</Table.Th>
            <Table.Th>{words.what}</Table.Th>
            {accounts && <Table.Th>{words.account}</Table.Th>}
            <Table.Th>{words.where}</Table.Th>
            <Table.Th>{words.by}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Ago at={entry.created_at} />
              </Table.Td>
              <Table.Td>
                <What entry={entry} />
              </Table.Td>
              {accounts && (
                <Table.Td>
                  <Person id={entry.account_id} />
                  {entry.actor_id !== null && entry.actor_id !== entry.account_id && (
                    <Text size="xs" c="dimmed" component="div">
                      {words.doneBy} <Person id={entry.actor_id} />
                    </Text>
                  )}
                </Table.Td>
              )}
              <Table.Td>{entry.address}</Table.Td>
              <Table.Td>
                <By kind={entry.credential?.kind} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function What({ entry: { action, subject_id: subject, details } }: { entry: AuditEntry }) {
  const meanings: Record<string, string> = useWords(meaningWords);
  const told = Object.entries(details).filter(([, value]) => shown(value) !== '');
  return (
    <>
      <Text size="sm">{meanings[action] ?? action}</Text>
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        <Code>{action}</Code> {subject}
        {told.map(([name, value]) => (
          <div key={name}>
            {name}: {shown(value)}
          </div>
        ))}
      </Text>
    </>
  );
}

/** A change is told as from and to; anything else as it is. */
function shown(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  if ('from' in value && 'to' in value) return `${shown(value.from)} → ${shown(value.to)}`;
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return Object.entries(value)
    .map(([name, part]) => `${name} ${shown(part)}`)
    .join(', ');
}

/** Only its end tells one id from the others, and there is no room for all of it. */
function Person({ id }: { id: string }) {
  return (
    <AnchorLink to="/admin/users/$userId" params={{ userId: id }} size="xs" title={id} ff="monospace">
      …{id.slice(-8)}
    </AnchorLink>
  );
}

function By({ kind }: { kind: string | undefined }) {
  const kinds: Record<string, string> = useWords(credentialWords);
  return <Text size="xs">{kind && (kinds[kind] ?? kind)}</Text>;
}
