import './checks.css';
import { Box, Group, Text } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleXFilled, IconInfoCircleFilled } from '@tabler/icons-react';
import type { Which } from '../api/merge-request.ts';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { checksWords } from './checks.words.ts';
import type { Remark } from './checks-query.ts';

const icons = { failure: IconCircleXFilled, warning: IconAlertTriangleFilled, notice: IconInfoCircleFilled };

type Props = {
  remark: Remark;
  which: Which;
  /** Whether the card names its lines, because they are not next to it. */
  isApart?: boolean;
};

/** What a check says about lines. The keyboard shortcuts of a reviewer stop at these cards too. */
export function RemarkCard({ remark, which, isApart = false }: Props) {
  const words = useWords(checksWords);
  const { annotation_level: level, check, checkId, title, message } = remark;
  const Icon = icons[level];
  const named = { failure: words.failureLevel, warning: words.warning, notice: words.notice }[level];
  return (
    <Box
      component="article"
      className="surface remark"
      data-level={level}
      data-stop
      tabIndex={-1}
      aria-label={words.byCheck(named, check)}
    >
      <Group gap={6}>
        <Icon size={16} aria-hidden />
        <Text size="sm" fw={600} span>
          {named}
        </Text>
        <AnchorLink
          to="/projects/$projectId/merge-requests/$number"
          params={{ projectId: which.projectId, number: String(which.number) }}
          search={{ tab: 'checks', check: checkId }}
          size="sm"
          title={words.toLog(check)}
          className="breaks-anywhere"
        >
          {check}
        </AnchorLink>
        {isApart && (
          <Text size="sm" c="dimmed" span className="breaks-anywhere">
            {placeOf(remark, words)}
          </Text>
        )}
      </Group>
      {title !== '' && (
        <Text size="sm" fw={600} className="breaks-anywhere">
          {title}
        </Text>
      )}
      <Text size="sm" className="remark-text" lineClamp={20}>
        {message}
      </Text>
    </Box>
  );
}

type Words = { line: (path: string, line: number) => string; lines: (path: string, a: number, b: number) => string };

const placeOf = ({ path, start_line: from, end_line: to }: Remark, words: Words): string =>
  from === to ? words.line(path, to) : words.lines(path, from, to);
