import { proveFaults } from './proveFaults.ts';

proveFaults(1);
