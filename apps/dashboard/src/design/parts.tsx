import { Box, Text, Title } from '@mantine/core';
import { Section } from '../kit/page.tsx';
import { controls } from './controls.tsx';
import { data } from './data.tsx';
import { messages } from './messages.tsx';

/** All parts of the design, in groups. Their keys are names of files. */
const groups = { Data: data, Controls: controls, Messages: messages };

export function Parts() {
  return Object.entries(groups).map(([title, samples]) => (
    <Section key={title} title={title}>
      {Object.entries(samples).map(([file, Sample]) => (
        <Box key={file} component="section" mb="lg" aria-label={file}>
          <Title order={3} mb={6}>
            <Text span ff="monospace" size="xs" c="dimmed">
              {file}
            </Text>
          </Title>
          <Sample />
        </Box>
      ))}
    </Section>
  ));
}
