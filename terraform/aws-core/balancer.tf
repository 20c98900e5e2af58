resource "aws_lb" "core" {
  name               = var.name
  load_balancer_type = "application"
  ip_address_type    = "dualstack"
  subnets            = local.subnets["edge"][*].id
  security_groups    = [aws_security_group.core["balancer"].id]
  # Longer than the longest deadline of a request.
  idle_timeout               = 75
  drop_invalid_header_fields = true
  desync_mitigation_mode     = "strictest"
  enable_deletion_protection = var.deletion_protection
  tags                       = merge(local.tags, { Name = var.name })
}

resource "aws_lb_target_group" "gateway" {
  name     = "${var.name}-gateways"
  vpc_id   = aws_vpc.core.id
  protocol = "HTTP"
  port     = 8080
  # Requests take from a millisecond to a minute: by their number gateways would not be equally busy.
  load_balancing_algorithm_type = "least_outstanding_requests"
  # A gateway that was told to stop finishes its requests for 30 s.
  deregistration_delay = 45
  tags                 = local.tags

  health_check {
    path                = "/healthz"
    matcher             = "200"
    interval            = 5
    timeout             = 3
    healthy_threshold   = 2
    unhealthy_threshold = 2
  }
}

resource "aws_lb_target_group_attachment" "gateway" {
  for_each = local.gateways

  target_group_arn = aws_lb_target_group.gateway.arn
  target_id        = aws_instance.machine[each.key].id
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.core.arn
  protocol          = "HTTPS"
  port              = 443
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = var.certificate_arn
  # A year: who has been here once does not come by plain HTTP again (RFC 6797).
  routing_http_response_strict_transport_security_header_value = "max-age=31536000"
  routing_http_response_server_enabled                         = false
  tags                                                         = local.tags

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.gateway.arn
  }
}

resource "aws_lb_listener" "http" {
  load_balancer_arn = aws_lb.core.arn
  protocol          = "HTTP"
  port              = 80
  tags              = local.tags

  default_action {
    type = "redirect"

    redirect {
      protocol    = "HTTPS"
      port        = "443"
      status_code = "HTTP_301"
    }
  }
}
