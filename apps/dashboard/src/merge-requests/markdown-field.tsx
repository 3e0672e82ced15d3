import { Box, Group, Input, Tabs, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import { MentionTextarea } from '../mentions/mention-textarea.tsx';
import { useWords } from '../words/words.tsx';
import { RequestMarkdown } from './request-markdown.tsx';
import { threadWords } from './thread.words.ts';

type Props = {
  label: string;
  /** Whether the label is shown, and not only read aloud. */
  isNamed?: boolean;
  value: string;
  change: (value: string) => void;
  projectId: string;
  /** The project whose people can be mentioned, if it is another one. */
  peopleOf?: string;
  minRows?: number;
  maxLength?: number;
  /** Takes the focus when it appears. */
  takesFocus?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  /** Buttons beside the tabs. */
  tools?: ReactNode;
  /** Ctrl+Enter. */
  send?: () => void;
};

/** A field for Markdown with mentions, and its preview. */
export function MarkdownField(props: Props) {
  const { label, isNamed = false, value, change, projectId, minRows = 3, maxLength = 65_536 } = props;
  const { peopleOf = projectId } = props;
  const words = useWords(threadWords);
  const id = useId();
  const [tab, setTab] = useState<string | null>('write');
  const { takesFocus = false } = props;
  useEffect(() => {
    // The browser shows only the beginning of a field that takes the focus, and not its buttons.
    if (takesFocus) document.getElementById(id)?.closest('form')?.scrollIntoView({ block: 'nearest' });
  }, [takesFocus, id]);
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      {isNamed && <Input.Label htmlFor={id}>{label}</Input.Label>}
      <Group gap="xs" justify="space-between" mb={4}>
        <Tabs.List aria-label={label}>
          <Tabs.Tab value="write" py={4}>
            {words.write}
          </Tabs.Tab>
          <Tabs.Tab value="preview" py={4}>
            {words.preview}
          </Tabs.Tab>
        </Tabs.List>
        {props.tools}
      </Group>
      <Tabs.Panel value="write">
        <MentionTextarea
          id={id}
          peopleOf={peopleOf}
          {...(!isNamed && { 'aria-label': label })}
          {...(props.field && { field: props.field })}
          {...(takesFocus && { autoFocus: true })}
          autosize
          minRows={minRows}
          maxRows={24}
          maxLength={maxLength}
          value={value}
          change={change}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !props.send) return;
            event.preventDefault();
            props.send();
          }}
        />
      </Tabs.Panel>
      <Tabs.Panel value="preview">
        <Box className="surface" p="sm" mih={minRows * 24}>
          {value.trim() === '' ? (
            <Text size="sm" c="dimmed">
              {words.nothingToPreview}
            </Text>
          ) : (
            <RequestMarkdown text={value} projectId={projectId} />
          )}
        </Box>
      </Tabs.Panel>
    </Tabs>
  );
}
