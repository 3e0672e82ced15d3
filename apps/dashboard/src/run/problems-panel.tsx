import { Alert, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { languageWords } from '../languages/languages.words.ts';
import { useProblems } from '../languages/problems-context.ts';
import { useWords } from '../words/words.tsx';
import { Nothing } from './middle.tsx';

type Props = { open: (path: string, line: number) => void };

const mostShown = 500;

/** The problems that the language servers report in open files. A click on one leads to its place. */
export function ProblemsPanel({ open }: Props) {
  const words = useWords(languageWords);
  const { list, reasons } = useProblems();
  return (
    <div className="problems">
      {reasons.map((reason) => (
        <Alert key={reason} color="yellow" variant="outline" radius={0} py={4}>
          <Text size="xs" lang="en" className="breaks-anywhere">
            {reason}
          </Text>
        </Alert>
      ))}
      {list.length === 0 && reasons.length === 0 && <Nothing title={words.noProblems} hint={words.noProblemsHint} />}
      <ul className="rows" aria-label={words.list}>
        {list.slice(0, mostShown).map(({ path, line, column, severity, message }) => (
          <li key={`${path} ${line} ${column} ${message}`}>
            <UnstyledButton className="run-command problem" onClick={() => open(path, line)}>
              <SeverityIcon severity={severity} />
              <span className="breaks-anywhere">
                <span lang="en">{message}</span>{' '}
                <Text span size="xs" c="dimmed">
                  {path.slice(1)}, {words.at(line)}
                </Text>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

function SeverityIcon({ severity }: { severity: number }) {
  const words = useWords(languageWords);
  if (severity === 1) return <IconCircleX size={15} color="var(--mantine-color-error)" aria-label={words.error} />;
  if (severity === 2)
    return <IconAlertTriangle size={15} color="var(--mantine-color-yellow-6)" aria-label={words.warning} />;
  return <IconInfoCircle size={15} color="var(--mantine-color-dimmed)" aria-label={words.note} />;
}
