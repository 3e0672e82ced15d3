import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './more-fonts.css';
import './later-styles.css';
