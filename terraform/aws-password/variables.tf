variable "name" {
  description = "Name of the secret."
  type        = string
}

variable "description" {
  description = "What it opens."
  type        = string
}

variable "password_version" {
  description = "A higher number makes a new password."
  type        = number
  default     = 1
}

variable "kms_key_arn" {
  description = "ARN of a KMS key of yours. Null: AWS's own."
  type        = string
  default     = null
}

variable "tags" {
  description = "Tags of the secret."
  type        = map(string)
  default     = {}
}
