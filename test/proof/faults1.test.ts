import { proveFaults } from './proveFaults.ts';

proveFaults(0);
