import { readFileSync } from 'node:fs';
import { DomainList, wordList } from '../names/index.ts';

/** Schools and universities whose names do not tell; the head of the file says where the list is from. */
export const EDUCATION_DOMAINS = new DomainList(readFileSync(new URL('./education.txt', import.meta.url)));

export const STUDENT_LABELS = wordList(
  'student students stud studenti studente estudiante estudiantes etudiant etu etud alumni alum alumnos alunos aluno ogrenci learner pupil uczen',
);
